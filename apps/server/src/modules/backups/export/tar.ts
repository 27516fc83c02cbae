const BLOCK_BYTES = 512
/** Larger sizes do not fit into the octal digits of a header. */
const LARGEST_OCTAL = 0o77777777777

/** Returns the header of a file in a tar archive (ustar). The name can have at most 100 bytes. */
export function tarHeader(name: string, sizeBytes: number, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  if (sizeBytes <= LARGEST_OCTAL) header.write(octal(sizeBytes, 11), 124)
  else {
    // GNU tar and all common programs read larger sizes in this binary form.
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(sizeBytes), 128)
  }
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

/** Returns the zeros that fill the last block of a file. */
export const tarPadding = (sizeBytes: number): Buffer =>
  Buffer.alloc((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES)

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)
