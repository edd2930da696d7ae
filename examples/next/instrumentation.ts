/** Runs when the server starts, not in `next build`. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { recover } = await import("./lib/pay");
  const { closeOnSignal } = await import("./lib/payments");
  closeOnSignal();
  const run = () => recover().catch((error) => console.error(String(error))); // pages do not wait for it, nor fail with it
  setInterval(run, 60_000).unref();
  run();
}
