import type { SandboxPix } from "../../transactions/transaction.ts";
import { CopyButton } from "./copy-button.tsx";

/** The QR code to scan, and the code to paste. */
export function PixCode({ pix }: { readonly pix: SandboxPix }) {
  return (
    <div class="pix">
      <img class="qr" src={pix.qrcode} alt="QR code of the pix" width="200" height="200" />
      <div class="pix-text">
        <p class="label" id="pix-code">
          Pix code to copy and paste
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={7} value={pix.qrcodeText} />
        <CopyButton value={pix.qrcodeText} what="the pix code" text="Copy the pix code" />
      </div>
    </div>
  );
}
