/** An error, where it happened. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
