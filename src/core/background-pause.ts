/** A pause between retries that nobody waits for. It does not keep a process alive that has nothing else to do. */
export async function backgroundPause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}
