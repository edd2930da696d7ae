/** Runs when the server starts, not in `next build`. Without the variables, it serves no page. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { recover } = await import("./lib/pay");
  setInterval(() => recover().catch(console.error), 60_000).unref();
  await recover();
}
