import { useEffect, useState } from "preact/hooks";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: { down: "The sandbox does not respond.", start: "Start it again with" },
  pt: { down: "O sandbox não responde.", start: "Inicie-o de novo com" },
});

/** A fault closes the port for a second, and a page that loads needs a moment. */
const PATIENCE_MS = 2_000;

/** Says at the top of the page that nothing on it is up to date. */
export function OfflineBanner({ isConnected }: { readonly isConnected: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isConnected) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="alert">
      {isShown && (
        <p class="offline-banner">
          <strong>{texts.down}</strong> {texts.start} <code>npx payments sandbox</code>.
        </p>
      )}
    </div>
  );
}
