import { getModelBytes, getModelPreview, type Model } from '@pegasus/contracts/stl-library/models'
import { callForBytes } from '@/lib/http/api.ts'
import { saveFile } from '@/lib/browser/save-file.ts'

/** Opens the model's file. Throws an ApiError, or the AbortError of the signal. */
export const openModelFile = (id: string, signal?: AbortSignal): Promise<Response> =>
  callForBytes(getModelBytes, { params: { id }, signal })

/** Opens the preview mesh. Throws the same errors, and a 404 while there is no preview. */
export const openModelPreview = (id: string, signal?: AbortSignal): Promise<Response> =>
  callForBytes(getModelPreview, { params: { id }, signal })

/** Saves the file under its original name. */
export async function downloadModel({ id, file_name }: Pick<Model, 'id' | 'file_name'>): Promise<void> {
  const response = await openModelFile(id)
  saveFile(await response.blob(), file_name)
}
