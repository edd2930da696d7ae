import type { Metadata } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import "payments-sdk/elements.css";
import "payments-sdk/elements-brands.css";
import "./globals.css";

export const metadata: Metadata = { title: "Shop" };

export default async function Layout({ children }: { children: ReactNode }) {
  await connection(); // no page is prerendered: each response has its own nonce
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}
