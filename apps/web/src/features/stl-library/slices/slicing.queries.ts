import {
  cancelSlicing,
  listSlicings,
  type Slicing,
  startSlicing,
  type StartSlicingBody,
} from '@pegasus/contracts/slices/slicing'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { callApi } from '@/lib/http/api.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { SLICES_KEY } from '@/components/slices/slices.queries.ts'

/** Returns the last slicings of a model, newest first. */
export const slicingsQuery = (modelId: string) =>
  apiQuery([...SLICES_KEY, 'runs', modelId], listSlicings, { params: { id: modelId } })

/** Starts and cancels slicings of a model. */
export function useSlicing(modelId: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: SLICES_KEY })
  const start = useMutation({
    mutationFn: (body: StartSlicingBody) => callApi(startSlicing, { params: { id: modelId }, body }),
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: ({ id }: Slicing) => callApi(cancelSlicing, { params: { id: modelId, slicing_id: id } }),
    onError: toastError,
    onSettled,
  })
  return { start, cancel }
}
