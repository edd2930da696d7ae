import { useEffect, useState } from "preact/hooks";
import { announce } from "./accessibility.tsx";

interface Props {
  readonly value: string;
  /** What is copied, as in "Copy the secret key", in the page's language. */
  readonly what: string;
}

/** Copies a text and shows the result for two seconds. Without a secure context, a browser has no clipboard. */
export function CopyButton({ value, what }: Props) {
  const [result, setResult] = useState<string>();
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(): Promise<void> {
    let shown = "Copied";
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      shown = "Not copied";
    }
    setResult(shown);
    announce(`${shown}: ${what}.`);
  }

  return (
    <button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {result ?? "Copy"}
    </button>
  );
}
