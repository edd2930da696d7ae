import { useEffect, useState } from "preact/hooks";
import { announce } from "./accessibility.tsx";
import { t } from "./texts.ts";

const results = { copied: t("Copied", "Copiado"), failed: t("Not copied", "Não copiado") };

interface Props {
  readonly value: string;
  /** What is copied, as in "Copy the secret key", in the page's language. */
  readonly what: string;
  readonly text?: string;
  readonly isPrimary?: boolean;
}

/** Copies a text and shows the result for two seconds. */
export function CopyButton({ value, what, text = t("Copy", "Copiar"), isPrimary = false }: Props) {
  const [result, setResult] = useState<keyof typeof results>();
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(): Promise<void> {
    const copied = await writeText(value);
    setResult(copied ? "copied" : "failed");
    const failure = t(`Could not copy ${what}.`, `Não foi possível copiar ${what}.`);
    announce(copied ? t(`Copied ${what}.`, `Copiado: ${what}.`) : failure);
  }

  return (
    <button
      type="button"
      class={isPrimary ? "primary large" : "quiet"}
      aria-label={t(`Copy ${what}`, `Copiar ${what}`)}
      onClick={() => void copy()}
    >
      {result === undefined ? text : results[result]}
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
