import { useEffect, useState } from "preact/hooks";

let speak: (text: string) => void = () => {};

/** Says something to those who do not see the page change. */
export function announce(text: string): void {
  speak(text);
}

/** The one place that {@link announce} speaks through. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    speak = (next) => {
      setText("");
      setTimeout(() => setText(next)); // the same text twice is said twice
    };
  }, []);
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}
