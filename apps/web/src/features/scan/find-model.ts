import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ListPage } from '@/lib/http/api.ts'

type Candidate = Pick<Model, 'id' | 'title' | 'file_name'>

const plain = (text: string): string => text.trim().toLowerCase()

/** Search text for a code: titles come from file names without extension, so the code's extension is removed, too. */
export const searchTermOf = (code: string): string => code.trim().replace(/\.(stl|3mf|obj)$/i, '')

/**
 * The model a code means: the one with exactly that title or file name, otherwise a single match; else the reason for
 * none.
 */
export function findScanned<Model extends Candidate>(
  code: string,
  { items, total }: ListPage<Model>,
): Model | string {
  const names = new Set([plain(code), plain(searchTermOf(code))])
  const exact = items.filter(({ title, file_name }) => names.has(plain(title)) || names.has(plain(file_name)))
  const [hit] = exact.length > 0 ? exact : items
  if (!hit) return `Nothing in the library is called “${code}”.`
  if (exact.length > 0 || total === 1) return hit
  return `${total} models match “${code}”. Type the whole title.`
}
