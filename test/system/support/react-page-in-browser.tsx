/** @jsxImportSource react */
import { hydrateRoot } from "react-dom/client";
import { Page } from "./react-page.tsx";

const app = document.querySelector("main") as HTMLElement;
const onRecoverableError = (error: unknown) => console.error(error);
hydrateRoot(app, <Page {...JSON.parse(app.dataset["props"] ?? "")} />, { onRecoverableError });
