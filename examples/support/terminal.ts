import { exit, stdout } from "node:process";
import { styleText } from "node:util";
import { renderUnicodeCompact } from "uqr";

// Whoever reads through `head` has seen enough; that is no failure.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") exit(0);
  throw error;
});

type Style = Parameters<typeof styleText>[0];

/** Text in a style, or plain where nobody would see it: no terminal, or NO_COLOR. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: stdout });
}

export function heading(text: string): void {
  console.log(`\n${styled("bold", text)}`);
}

const LABEL_WIDTH = 12;

/** A label and its value, aligned with the ones above and below. */
export function row(label: string, value: string): void {
  console.log(`  ${label.padEnd(LABEL_WIDTH)} ${value}`);
}

/** A QR code as text, moved in by two places. */
export function qrCode(text: string): void {
  for (const line of renderUnicodeCompact(text, { border: 2 }).split("\n")) console.log(`  ${line}`);
}
