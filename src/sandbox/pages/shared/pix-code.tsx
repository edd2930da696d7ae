import type { ComponentChildren } from "preact";
import type { SandboxPix } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "./copy-button.tsx";
import { choose } from "./language.ts";

const texts = choose({
  en: {
    qr: "QR code of the pix",
    code: "Pix code to copy and paste",
    what: "the pix code",
    copy: "Copy the pix code",
  },
  pt: {
    qr: "QR code do Pix",
    code: "Pix copia e cola",
    what: "o código Pix",
    copy: "Copiar o código Pix",
  },
});

interface Props {
  readonly pix: SandboxPix;
  /** Whether to copy the code is what the page is for. */
  readonly isPrimary?: boolean;
  /** What is shown before the code. */
  readonly children?: ComponentChildren;
}

/** The QR code to scan, and the code to paste. */
export function PixCode({ pix, isPrimary = false, children }: Props) {
  return (
    <div class="pix">
      <img class="qr" src={pix.qrcode} alt={texts.qr} width="200" height="200" />
      <div class="pix-text">
        {children}
        <p class="label" id="pix-code">
          {texts.code}
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={7} value={pix.qrcodeText} />
        <CopyButton value={pix.qrcodeText} what={texts.what} text={texts.copy} isPrimary={isPrimary} />
      </div>
    </div>
  );
}
