export default function NotFound() {
  return <p>There is no such page.</p>;
}
