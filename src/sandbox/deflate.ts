/** What a block of bytes that are not compressed may hold. Spec: RFC 1951, 3.2.4. */
const MOST_IN_A_BLOCK = 65_535;

/** Bytes in the format of zlib; as they are where the runtime, such as that of Next.js' tests, cannot compress. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (typeof CompressionStream === "undefined") return stored(bytes);
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

function stored(bytes: Uint8Array): Uint8Array {
  const out = [0x78, 0x01];
  for (let start = 0; start < bytes.length; start += MOST_IN_A_BLOCK) {
    const block = bytes.subarray(start, start + MOST_IN_A_BLOCK);
    const { length } = block;
    const isLast = start + length === bytes.length;
    out.push(isLast ? 1 : 0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255, ...block);
  }
  return Uint8Array.from([...out, ...adler32(bytes)]);
}

function adler32(bytes: Uint8Array): number[] {
  let sum = 1;
  let sums = 0;
  for (const byte of bytes) {
    sum = (sum + byte) % 65_521;
    sums = (sums + sum) % 65_521;
  }
  return [sums >> 8, sums & 255, sum >> 8, sum & 255];
}
