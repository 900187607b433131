/** Packs bytes as Snappy does, as one literal. */
export function packSnappy(bytes: Uint8Array): Buffer {
  const head: number[] = [];
  for (let rest = bytes.length; rest > 0 || head.length === 0; rest = Math.floor(rest / 128))
    head.push((rest % 128) | (rest < 128 ? 0 : 0x80));
  const last = bytes.length - 1;
  const width = bytes.length <= 60 ? 0 : Math.ceil(last.toString(16).length / 2);
  const tag = Buffer.alloc(1 + width);
  tag[0] = (width === 0 ? last : 59 + width) << 2;
  if (width > 0) tag.writeUIntLE(last, 1, width);
  return Buffer.concat([Buffer.from(head), tag, bytes]);
}
