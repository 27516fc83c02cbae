import {
  deleteSlice,
  restoreSlice,
  type Slice,
  type UpdateSliceBody,
  updateSlice,
  uploadSlice,
} from '@pegasus/contracts/slices/slices'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SLICES_KEY } from '@/components/slices/slices.queries.ts'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { newIdempotencyKey, uploadWithProgress } from '@/lib/http/uploads/upload.ts'
import { t } from '@/lib/i18n/messages.ts'

const paramsOf = ({ stl_file_id, id }: Slice) => ({ id: stl_file_id, slice_id: id })

function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: SLICES_KEY })
}

/** Uploads one sliced file. */
export const sendSlice = (
  modelId: string,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sentBytes: number) => void },
) =>
  uploadWithProgress(uploadSlice, {
    params: { id: modelId },
    fields: {},
    file,
    idempotencyKey: newIdempotencyKey(),
    signal,
    onProgress,
  })

/** Corrects a slice. The server refuses this if somebody else has changed the slice since then. */
export function useUpdateSlice() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ slice, change }: { slice: Slice; change: UpdateSliceBody }) =>
      callApi(updateSlice, {
        params: paramsOf(slice),
        body: change,
        headers: ifMatch(slice.revision),
      }),
    onError: toastError,
    onSettled: refresh,
  })
}

/** Moves a slice to the trash immediately, with Undo in the toast. */
export function useDeleteSlice() {
  const refresh = useRefresh()
  const restore = useMutation({
    mutationFn: (slice: Slice) => callApi(restoreSlice, { params: paramsOf(slice) }),
    onSuccess: (slice) => toast({ title: t('“{file_name}” is back', { file_name: slice.file_name }) }),
    onError: toastError,
    onSettled: refresh,
  })
  return useMutation({
    mutationFn: (slice: Slice) => callApi(deleteSlice, { params: paramsOf(slice) }),
    onSuccess: (_, slice) =>
      toast({
        title: t('“{file_name}” is in the trash', { file_name: slice.file_name }),
        action: { label: t('Undo'), onSelect: () => restore.mutate(slice) },
      }),
    onError: toastError,
    onSettled: refresh,
  })
}
