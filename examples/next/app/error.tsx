"use client";

export default function ErrorPage() {
  return <p>Something went wrong. Please do not pay again before you have reloaded this page.</p>;
}
