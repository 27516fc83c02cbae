import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ListPage } from '@/lib/http/api.ts'

type Candidate = Pick<Model, 'id' | 'title' | 'file_name'>

const plain = (text: string): string => text.trim().toLowerCase()

/** What to search the library for: titles come from file names without their ending, so a code is cut likewise. */
export const searchTermOf = (code: string): string => code.trim().replace(/\.(stl|3mf|obj)$/i, '')

/** The model that a code means: the one of that very title or file name, else the only one found; else why not. */
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
