import { listSlices } from '@pegasus/contracts/slices/slices'
import { allPagesQuery } from '@/lib/http/all-pages.ts'

/** Every query about sliced files and slicings starts with this key. */
export const SLICES_KEY = ['slices'] as const

/** Returns all sliced files of a model, newest first. The figures of a print need all plates of its file. */
export const slicesQuery = (modelId: string) =>
  allPagesQuery([...SLICES_KEY, 'list', modelId], listSlices, { params: { id: modelId } })
