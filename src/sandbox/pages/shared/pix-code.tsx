import type { ComponentChildren } from "preact";
import type { SandboxPix } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "./copy-button.tsx";
import { translate } from "./translate.ts";

const messages = translate({
  qr: ["QR code of the pix", "QR code do Pix"],
  code: ["Pix code to copy and paste", "Pix copia e cola"],
  what: ["the pix code", "o código Pix"],
  copy: ["Copy the pix code", "Copiar o código Pix"],
});

interface Props {
  readonly pix: SandboxPix;
  /** Whether to copy the code is what the page is for. */
  readonly isPrimary?: boolean;
  /** Whether it can still be paid. Otherwise, it is small. Default: true. */
  readonly isOpen?: boolean;
  /** What is shown before the code. */
  readonly children?: ComponentChildren;
}

export function PixCode({ pix, isPrimary = false, isOpen = true, children }: Props) {
  return (
    <div class={isOpen ? "pix" : "pix ended"}>
      <img class="qr" src={pix.qrcode} alt={messages.qr} width="200" height="200" />
      <div class="stack pix-text">
        {children}
        <p class="small" id="pix-code">
          {messages.code}
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={7} value={pix.qrcodeText} />
        <CopyButton value={pix.qrcodeText} what={messages.what} text={messages.copy} isPrimary={isPrimary} />
      </div>
    </div>
  );
}
