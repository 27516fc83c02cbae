import { writeBinaryStl } from '../src/stl/write-stl.ts'
import { createCube } from '../samples/shapes.ts'
import {
  bgcodeFile,
  buildBgcode,
  gcode3mf,
  gcodeBlock,
  metadataBlock,
  PNG,
  prusaGcode,
  PRINTER_METADATA,
} from './gcode-tools.ts'
import { build3mf } from './threemf-tools.ts'
import { buildZip } from './zip-tools.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Files that are not sliced files, or are damaged, each with the expected text of the rejection. */
export const REFUSED_SLICES: readonly { name: string; bytes: Uint8Array; says: RegExp }[] = [
  { name: 'empty.gcode', bytes: new Uint8Array(0), says: /empty/ },
  { name: 'cube.stl', bytes: encode('solid cube\nendsolid cube\n'), says: /not been sliced/ },
  { name: 'cube.obj', bytes: encode('# made\nv 0 0 0\nv 1 0 0\n'), says: /not been sliced/ },
  { name: 'binary.stl', bytes: writeBinaryStl(createCube(20)), says: /not G-code/ },
  { name: 'picture.gcode', bytes: PNG, says: /a picture/ },
  { name: 'page.gcode', bytes: encode('<!doctype html><title>Sign in</title>'), says: /web page/ },
  { name: 'answer.gcode', bytes: encode('{"detail":"no"}'), says: /JSON/ },
  { name: 'letter.gcode', bytes: encode('Dear shop,\nplease print this.\n'), says: /no commands/ },
  { name: 'comments.gcode', bytes: encode('; only\n; comments\n'), says: /no commands/ },
  { name: 'utf16.gcode', bytes: new Uint8Array([0xff, 0xfe, 0x47, 0, 0x31, 0]), says: /UTF-16/ },
  { name: 'cut.gcode', bytes: encode(prusaGcode().slice(0, -40)), says: /incomplete/ },
  {
    name: 'cut-bambu.gcode',
    bytes: encode('; EXECUTABLE_BLOCK_START\nG28\nG1 X1\n'),
    says: /incomplete/,
  },
  { name: 'header.bgcode', bytes: encode('GCDE\x01'), says: /incomplete/ },
  { name: 'cut.bgcode', bytes: bgcodeFile().slice(0, -9), says: /incomplete/ },
  {
    name: 'checksum.bgcode',
    bytes: buildBgcode([metadataBlock(3, PRINTER_METADATA), { ...gcodeBlock, checksum: 1 }]),
    says: /checksum/,
  },
  { name: 'new.bgcode', bytes: buildBgcode([gcodeBlock], { version: 9 }), says: /newer format/ },
  { name: 'type.bgcode', bytes: buildBgcode([{ type: 77, data: encode('x') }]), says: /newer format/ },
  { name: 'none.bgcode', bytes: buildBgcode([metadataBlock(3, PRINTER_METADATA)]), says: /no commands/ },
  {
    name: 'bomb.bgcode',
    bytes: buildBgcode([metadataBlock(3, 'a'.repeat(3_000_000), true), gcodeBlock]),
    says: /metadata .* is too large/,
  },
  {
    name: 'lie.bgcode',
    bytes: buildBgcode([{ ...metadataBlock(3, 'a=b\n', true), data: new Uint8Array(900) }, gcodeBlock]),
    says: /unpacked/,
  },
  { name: 'project.3mf', bytes: build3mf(), says: /not been sliced/ },
  {
    name: 'models.zip',
    bytes: buildZip([{ name: 'a.stl', data: 'solid' }]),
    says: /contains no sliced plate/,
  },
  { name: 'cut.gcode.3mf', bytes: gcode3mf().slice(0, -30), says: /incomplete/ },
  {
    name: 'climb.gcode.3mf',
    bytes: gcode3mf([{ name: '../plate_1.gcode', data: 'G28\n' }]),
    says: /points outside/,
  },
  {
    name: 'bomb.gcode.3mf',
    bytes: gcode3mf([{ name: 'Metadata/plate_1.gcode', data: new Uint8Array(20 * 1024 * 1024) }]),
    says: /unpack to far more/,
  },
  {
    name: 'lie.gcode.3mf',
    bytes: gcode3mf([{ name: 'Metadata/plate_1.gcode', data: 'G28\nG1 X1\n', centralFields: { crc32: 7 } }]),
    says: /contradict|damaged/,
  },
  {
    name: 'text.gcode.3mf',
    bytes: gcode3mf([{ name: 'Metadata/plate_1.gcode', data: 'no commands here\n' }]),
    says: /no commands/,
  },
  {
    name: 'doctype.gcode.3mf',
    bytes: gcode3mf([
      { name: 'Metadata/slice_info.config', data: '<!DOCTYPE x [<!ENTITY a "b">]><config/>' },
    ]),
    says: /DOCTYPE/,
  },
]
