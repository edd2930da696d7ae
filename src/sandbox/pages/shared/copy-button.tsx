import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcer.tsx";

interface Props {
  readonly value: string;
  /** What is copied, as it stands in a sentence: "Copy the secret key". */
  readonly what: string;
  readonly text?: string;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ value, what, text = "Copy" }: Props) {
  const [done, setDone] = useState<"copied" | "failed">();
  useEffect(() => {
    const timer = done && setTimeout(() => setDone(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [done]);

  async function copy(): Promise<void> {
    const copied = await writeText(value);
    setDone(copied ? "copied" : "failed");
    announce(copied ? `Copied ${what}.` : `Could not copy ${what}.`);
  }

  const shown = done === "copied" ? "Copied" : done === "failed" ? "Not copied" : text;
  return (
    <button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {shown}
    </button>
  );
}

async function writeText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false; // no permission, or a page that is not from a loopback address
  }
}
