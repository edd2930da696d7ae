import type { SandboxPix } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "./copy-button.tsx";

export function PixCode({ pix }: { readonly pix: SandboxPix }) {
  return (
    <div class="inline pix">
      <img class="qr" src={pix.qrcode} alt="QR code of the pix" width="200" height="200" />
      <div class="stack">
        <p class="inline spread">
          <span class="small" id="pix-code">
            Pix code to copy and paste
          </span>
          <CopyButton value={pix.qrcodeText} what="the pix code" />
        </p>
        <textarea class="code" aria-labelledby="pix-code" readOnly rows={6} value={pix.qrcodeText} />
      </div>
    </div>
  );
}
