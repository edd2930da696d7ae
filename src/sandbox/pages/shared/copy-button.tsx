import { useEffect, useState } from "preact/hooks";
import { announce } from "./accessibility.tsx";

interface Props {
  readonly value: string;
  /** What is copied, as in "Copy the secret key". */
  readonly what: string;
  readonly text?: string;
}

/** Copies a text and shows the result for two seconds. */
export function CopyButton({ value, what, text = "Copy" }: Props) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(): Promise<void> {
    const copied = await writeText(value);
    setResult(copied ? "copied" : "failed");
    announce(copied ? `Copied ${what}.` : `Could not copy ${what}.`);
  }

  const label = result === "copied" ? "Copied" : result === "failed" ? "Not copied" : text;
  return (
    <button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {label}
    </button>
  );
}

async function writeText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false; // no permission, or not a secure context
  }
}
