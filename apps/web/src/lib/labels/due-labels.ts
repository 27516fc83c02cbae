import { listLabelQueue, MAX_LABEL_SUBJECTS } from '@pegasus/contracts/labels/labels'
import { apiPageQuery } from '@/lib/http/api-queries.ts'

/** Returns labels that were never printed or whose texts have changed. Newest first, up to the limit of one run. */
export const dueLabelsQuery = apiPageQuery(['labels', 'due'], listLabelQueue, {
  query: { limit: MAX_LABEL_SUBJECTS },
})
