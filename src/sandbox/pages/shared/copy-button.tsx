import { useEffect, useState } from "preact/hooks";
import { announce } from "./accessibility.tsx";
import { translate } from "./translate.ts";

const messages = translate({
  copy: ["Copy", "Copiar"],
  copied: ["Copied", "Copiado"],
  failed: ["Not copied", "Não copiado"],
  name: [(what: string) => `Copy ${what}`, (what: string) => `Copiar ${what}`],
  hasCopied: [(what: string) => `Copied ${what}.`, (what: string) => `Copiado: ${what}.`],
  hasFailed: [
    (what: string) => `Could not copy ${what}.`,
    (what: string) => `Não foi possível copiar ${what}.`,
  ],
});

interface Props {
  readonly value: string;
  /** What is copied, as in "Copy the secret key", in the page's language. */
  readonly what: string;
  readonly text?: string;
  readonly isPrimary?: boolean;
  onCopied?(): void;
}

/** Copies a text and shows the result for two seconds. */
export function CopyButton({ value, what, text = messages.copy, isPrimary = false, onCopied }: Props) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(): Promise<void> {
    const copied = await writeText(value);
    setResult(copied ? "copied" : "failed");
    if (copied) onCopied?.();
    announce(copied ? messages.hasCopied(what) : messages.hasFailed(what));
  }

  return (
    <button
      type="button"
      class={isPrimary ? "primary large" : "quiet"}
      aria-label={messages.name(what)}
      onClick={() => void copy()}
    >
      {result === undefined ? text : messages[result]}
    </button>
  );
}

async function writeText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return copyFromPage(value);
  }
}

/** Without a secure context, such as on a phone that opened `http://192.168.0.2:4010`, there is no clipboard API. */
function copyFromPage(value: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const area = document.createElement("textarea");
  area.value = value;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  focused?.focus({ preventScroll: true });
  return copied;
}
