import { DEFAULT_LICENSE_TYPE, type LicenseType } from '@pegasus/contracts/licenses'
import { normalizeTags } from '@pegasus/contracts/stl-upload'

/** What a person types into the upload dialog, beside the file. */
export interface UploadForm {
  title: string
  description: string
  license_type: LicenseType
  attribution_url: string
  /** Separated by commas. */
  tags: string
  print_material: string
  print_notes: string
  use_ai: boolean
}

export const EMPTY_UPLOAD_FORM: UploadForm = {
  title: '',
  description: '',
  license_type: DEFAULT_LICENSE_TYPE,
  attribution_url: '',
  tags: '',
  print_material: '',
  print_notes: '',
  use_ai: true,
}

/** The text parts of the multipart request. */
export const uploadFields = (form: UploadForm): Record<string, string> => ({
  upload_method: 'file',
  title: form.title.trim(),
  description: form.description.trim(),
  license_type: form.license_type,
  attribution_url: form.attribution_url.trim(),
  tags: JSON.stringify(normalizeTags(form.tags.split(/[,;\n]/))),
  print_material: form.print_material.trim(),
  print_notes: form.print_notes.trim(),
  use_ai: String(form.use_ai),
})

type ChosenFile = Pick<File, 'name' | 'size' | 'lastModified'>

/** Tells two submits apart: an unchanged one is a retry and keeps its Idempotency-Key. */
export const submitSignature = (form: UploadForm, file: ChosenFile): string =>
  JSON.stringify([uploadFields(form), file.name, file.size, file.lastModified])

export const isStlName = (name: string): boolean => /\.stl$/i.test(name)

/** Why a chosen file cannot be uploaded, in a sentence, or null. */
export function fileError(file: ChosenFile | null, limitBytes: number | null): string | null {
  if (!file) return 'Please select a file to upload.'
  if (!isStlName(file.name)) return `“${file.name}” is not an STL file. Please choose a file ending in .stl.`
  if (limitBytes !== null && file.size > limitBytes)
    return `“${file.name}” is larger than the ${formatLimit(limitBytes)} that may be uploaded.`
  return null
}

function formatLimit(bytes: number): string {
  const gib = bytes / 1024 ** 3
  return gib >= 1 ? `${Number(gib.toFixed(1))} GB` : `${Math.floor(bytes / 1024 ** 2)} MB`
}
