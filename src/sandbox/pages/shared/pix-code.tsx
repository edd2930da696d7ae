import type { ComponentChildren } from "preact";
import type { SandboxPix } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "./copy-button.tsx";
import { t } from "./texts.ts";

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
      <img
        class="qr"
        src={pix.qrcode}
        alt={t("QR code of the pix", "QR code do Pix")}
        width="200"
        height="200"
      />
      <div class="stack">
        {children}
        <p class="small" id="pix-code">
          {t("Pix code to copy and paste", "Pix copia e cola")}
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={6} value={pix.qrcodeText} />
        <CopyButton
          value={pix.qrcodeText}
          what={t("the pix code", "o código Pix")}
          text={t("Copy the pix code", "Copiar o código Pix")}
          isPrimary={isPrimary}
        />
      </div>
    </div>
  );
}
