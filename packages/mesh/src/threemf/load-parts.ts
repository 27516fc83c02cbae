import { RejectionError } from '../rejection-error.ts'
import { printableName } from '../zip/entry-name.ts'
import type { OpenEntry } from '../zip/open-zip.ts'
import { readEntryBytes } from '../zip/read-entry.ts'
import { createMeshStore, type MeshStore } from './mesh-store.ts'
import { createPartReader, type ParsedModelPart } from './model-part.ts'
import type { Package3mf } from './package.ts'
import { partName } from './relationships.ts'

/** The model parts of a 3MF that its build may need, by lower-case name, and their meshes. */
export type LoadedParts = {
  root: ParsedModelPart
  parts: ReadonlyMap<string, ParsedModelPart>
  store: MeshStore
}

const MAX_PARTS = 1000

/** Reads the main model and all parts to which it refers. Each part is read once. Throws RejectionError. */
export async function loadParts(file: Package3mf): Promise<LoadedParts> {
  const store = createMeshStore()
  const parts = new Map<string, ParsedModelPart>()
  const root = await readPart(file, file.model, store)
  parts.set(file.model.name.toLowerCase(), root)
  const waiting = pathsOf(root)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = partName(path)
    if (parts.has(name)) continue
    const entry = file.parts.get(name)
    if (!entry) {
      const problem = `The file refers to "${printableName(path)}", which it does not contain.`
      throw new RejectionError('unsafe-structure', `${problem} Export the model again.`)
    }
    if (parts.size === MAX_PARTS)
      throw new RejectionError('too-large', 'The model has too many parts. Export it again.')
    const part = await readPart(file, entry, store)
    parts.set(name, part)
    waiting.push(...pathsOf(part))
  }
  return { root, parts, store }
}

async function readPart(
  { archive }: Package3mf,
  entry: OpenEntry,
  store: MeshStore,
): Promise<ParsedModelPart> {
  const reader = createPartReader(store)
  for await (const chunk of readEntryBytes(archive, entry)) reader.push(chunk)
  reader.finish()
  return reader.part
}

function pathsOf(part: ParsedModelPart): string[] {
  const paths = new Set<string>()
  for (const { path } of part.items) if (path !== null) paths.add(path)
  for (const object of part.objects.values()) {
    for (const { path } of object.components) if (path !== null) paths.add(path)
  }
  return [...paths]
}
