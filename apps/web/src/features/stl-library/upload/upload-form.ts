import { DEFAULT_LICENSE_TYPE, type LicenseType } from '@pegasus/contracts/stl-library/licenses'
import { uploadModelFields } from '@pegasus/contracts/stl-library/upload'
import { normalizeTags } from '@pegasus/contracts/stl-library/models'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The fields of the upload dialog, except the files. */
export interface UploadForm {
  upload_method: 'file' | 'url'
  url: string
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
  upload_method: 'file',
  url: '',
  title: '',
  description: '',
  license_type: DEFAULT_LICENSE_TYPE,
  attribution_url: '',
  tags: '',
  print_material: '',
  print_notes: '',
  use_ai: true,
}

/**
 * Returns the text parts of the multipart request. The title is sent only with a single file, because several models
 * with the same title would be indistinguishable.
 */
export const uploadFields = (form: UploadForm, fileCount: number): Record<string, string> => ({
  upload_method: form.upload_method,
  ...(form.upload_method === 'url' && { url: form.url.trim() }),
  title: fileCount > 1 ? '' : form.title.trim(),
  description: form.description.trim(),
  license_type: form.license_type,
  attribution_url: form.attribution_url.trim(),
  tags: JSON.stringify(normalizeTags(form.tags.split(/[,;\n]/))),
  print_material: form.print_material.trim(),
  print_notes: form.print_notes.trim(),
  use_ai: String(form.use_ai),
})

/** Splits the text into the tag that is being typed at its end, and the text before it. */
export function splitLastTag(text: string): { former: string; typed: string } {
  const [, former = '', typed = ''] = /^(.*[,;]\s*)?([^,;]*)$/s.exec(text) ?? []
  return { former, typed: typed.trim() }
}

/** A validation error of a field, with the server's message. */
export interface FieldProblem {
  path: keyof UploadForm
  message: string
}

const isField = (path: string): path is keyof UploadForm => path in EMPTY_UPLOAD_FORM

export const fieldProblems = (errors: readonly { path: string; message: string }[]): FieldProblem[] =>
  errors.flatMap(({ path, message }) => (isField(path) ? [{ path, message }] : []))

/** Returns the errors of the fields, so that they are found before a dozen files are sent. */
export function findProblems(fields: Record<string, string>): FieldProblem[] {
  const parsed = uploadModelFields.safeParse(fields)
  if (parsed.success) return []
  return fieldProblems(
    parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: serverText(issue.message) })),
  )
}

type ChosenFile = Pick<File, 'name' | 'size' | 'lastModified'>

const identity = ({ name, size, lastModified }: ChosenFile): string =>
  JSON.stringify([name, size, lastModified])

/** Returns the files together with more files, without duplicates. */
export function addFiles<F extends ChosenFile>(files: readonly F[], more: readonly F[]): F[] {
  const known = new Map([...files, ...more].map((file) => [identity(file), file]))
  return [...known.values()]
}

/**
 * Identifies the content of a submission. A submission with the same signature is a retry and keeps its
 * Idempotency-Key.
 */
export const submitSignature = (fields: Record<string, string>, file: ChosenFile | null): string =>
  JSON.stringify([fields, file && identity(file)])

/**
 * Returns the reason why files cannot be uploaded; null if they can. Formats are not checked here, because
 * the server detects them from the content.
 */
export function filesError(files: readonly ChosenFile[], limitBytes: number | null): string | null {
  if (files.length === 0) return t('Please select a file to upload.')
  const tooLarge = files.filter((file) => isTooLarge(file, limitBytes))
  const [first] = tooLarge
  if (!first || limitBytes === null) return null
  const than = t('larger than the upload limit of {limitBytes}.', { limitBytes: formatLimit(limitBytes) })
  return tooLarge.length === 1
    ? t('“{name}” is {than}', { name: first.name, than })
    : t('{tooLarge, plural, one {# file} other {# files}} are {than}', { tooLarge: tooLarge.length, than })
}

export const isTooLarge = (file: Pick<ChosenFile, 'size'>, limitBytes: number | null): boolean =>
  limitBytes !== null && file.size > limitBytes

function formatLimit(bytes: number): string {
  const gib = bytes / 1024 ** 3
  return gib >= 1 ? `${Number(gib.toFixed(1))} GB` : `${Math.floor(bytes / 1024 ** 2)} MB`
}

/** Shown until the person chooses a license, so that the preset claims nothing about the files. */
export const LICENSE_PRESET_HINT = t(
  'This is only a preset. Choose the license that the source names: it decides whether prints may be sold.',
)

/** Explains each license in plain words. */
export const LICENSE_HINTS: Readonly<Record<LicenseType, string>> = {
  'Public Domain': t('Nobody holds rights to it: prints may be sold without an attribution.'),
  CC0: t('Its author gave up all rights: prints may be sold without an attribution.'),
  'CC BY': t('Prints may be sold if the author is named. Enter the author’s page as the attribution URL.'),
  'CC BY-SA': t(
    'Prints may be sold if the author is named; changed versions of the model must keep this license.',
  ),
  'CC BY-NC': t('Prints may not be sold.'),
  Custom: t('It has its own terms: prints may not be sold until somebody allows it on the model’s page.'),
}
