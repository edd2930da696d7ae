/**
 * Copies the text of an input. If the browser allows neither way, for example in a frame without permission, the
 * result is `false` and the text is selected, so that the buyer copies it by the keyboard.
 */
export async function copyFrom(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value); // `clipboard` is missing without HTTPS
    return true;
  } catch {
    input.focus();
    input.setSelectionRange(0, input.value.length); // `select()` does not select on older iPhones
    return document.execCommand("copy");
  }
}
