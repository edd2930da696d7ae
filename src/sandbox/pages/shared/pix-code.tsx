import type { SandboxPix } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "./copy-button.tsx";
import { t } from "./texts.ts";

export function PixCode({ pix }: { readonly pix: SandboxPix }) {
  return (
    <div class="inline pix">
      <img
        class="qr"
        src={pix.qrcode}
        alt={t("QR code of the pix", "QR code do Pix")}
        width="200"
        height="200"
      />
      <div class="stack">
        <p class="inline spread">
          <span class="small" id="pix-code">
            {t("Pix code to copy and paste", "Pix copia e cola")}
          </span>
          <CopyButton value={pix.qrcodeText} what={t("the pix code", "o código Pix")} />
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={6} value={pix.qrcodeText} />
      </div>
    </div>
  );
}
