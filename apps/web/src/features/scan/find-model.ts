import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ListPage } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'

type Candidate = Pick<Model, 'id' | 'title' | 'file_name'>

const normalize = (text: string): string => text.trim().toLowerCase()

/**
 * Returns the search text for a code. The file extension is removed, because a title is usually the file name
 * without its extension.
 */
export const searchTermOf = (code: string): string => code.trim().replace(/\.(stl|3mf|obj)$/i, '')

/**
 * Returns the model with exactly this title or file name, or else the only match. If there is none, returns the reason.
 */
export function findModel<Model extends Candidate>(
  code: string,
  { items, total }: ListPage<Model>,
): Model | string {
  const names = new Set([normalize(code), normalize(searchTermOf(code))])
  const exact = items.filter(
    ({ title, file_name }) => names.has(normalize(title)) || names.has(normalize(file_name)),
  )
  const [hit] = exact.length > 0 ? exact : items
  if (!hit)
    return t('No item, spool, order, job, printer, location or model has the code or name “{code}”.', {
      code,
    })
  if (exact.length > 0 || total === 1) return hit
  return t('{total} models match “{code}”. Type the full title.', { total, code })
}
