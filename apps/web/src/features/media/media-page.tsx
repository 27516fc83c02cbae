import { isPictureName, MEDIA_EXTENSIONS } from '@pegasus/contracts/media/media-files'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { DropArea } from '@/components/drop-area.tsx'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { PageHead } from '@/components/page-head.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { useMediaUploads } from '@/lib/http/uploads/use-media-uploads.ts'
import { type ChosenFile, type Marks, nameFiles, toChosen } from './chosen-files.ts'
import { ChosenList } from './chosen-list.tsx'
import { isSlug, MEDIA_KEY, productSlugsQuery, useStoredMedia } from './media.queries.ts'
import { ResultList } from './result-list.tsx'
import { StoredMediaCard } from './stored-media-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

const NOTHING_TO_UPLOAD = t('Please enter a slug and select files')
const NO_MARKS: Marks = { isPoster: false, posterId: null, isVideo: false }

/** The page for pictures and videos of products. They are stored under the names that the shop expects. */
export function MediaPage() {
  const [slug, setSlug] = useState('')
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [marks, setMarks] = useState(NO_MARKS)
  const [alert, setAlert] = useState<string | null>(null)
  const [slugError, setSlugError] = useState<string | null>(null)
  const client = useQueryClient()
  const media = useMediaUploads({ onStored: () => void client.invalidateQueries({ queryKey: [MEDIA_KEY] }) })
  useLeaveWarning(media.isBusy)
  const { data: slugs = [] } = useQuery(productSlugsQuery)
  const named = nameFiles(slug.trim(), files, marks)
  const storedMedia = useStoredMedia(slug.trim())
  const existing = new Map(storedMedia.map((each) => [each.name, each]))
  const replaced = named.filter(({ name }) => name !== null && existing.has(name))

  const add = (chosen: readonly File[]) => {
    setFiles((now) => [...now, ...chosen.map(toChosen)])
    setAlert(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAlert(null)
    setSlugError(null)
    const ready = named.flatMap(({ file, name }) => (name === null ? [] : [{ file, name }]))
    if (slug.trim() === '' || ready.length === 0) return setAlert(NOTHING_TO_UPLOAD)
    if (!isSlug(slug.trim()))
      return setSlugError(t('Slug must contain only lowercase letters, numbers, and hyphens'))
    // Remove the results of the previous upload.
    media.clear()
    media.start(ready)
    setFiles((now) => now.filter(({ id }) => named.some((each) => each.id === id && each.problem)))
  }
  return (
    <>
      <PageHead backTo="/admin" backLabel={t('Back to Admin')} title={t('Product media')} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Card title={t('Upload files')}>
          <form noValidate onSubmit={submit} className="flex flex-col gap-4 p-4">
            <Field
              label={t('Product slug')}
              isRequired
              error={slugError}
              hint={t('The address of the product in the shop. The files are named after it.')}
            >
              <FieldSuggestions options={slugs}>
                {(list) => (
                  <Input
                    value={slug}
                    list={list}
                    placeholder="product-slug"
                    autoCapitalize="none"
                    autoComplete="off"
                    spellCheck={false}
                    onChange={(event) => {
                      setSlug(event.target.value)
                      setSlugError(null)
                      setAlert(null)
                    }}
                  />
                )}
              </FieldSuggestions>
            </Field>
            <Field label={t('Files')} isRequired>
              <DropArea accept={MEDIA_EXTENSIONS.join(',')} onFiles={add}>
                {MEDIA_EXTENSIONS.join(', ')}
              </DropArea>
            </Field>
            <ChosenList
              files={named}
              existing={existing}
              isNamed={slug.trim() !== ''}
              onRemove={(id) => setFiles((now) => now.filter((each) => each.id !== id))}
              onPoster={
                marks.isPoster && files.filter(({ file }) => isPictureName(file.name)).length > 1
                  ? (posterId) => setMarks({ ...marks, posterId })
                  : null
              }
            />
            <div className="flex flex-col gap-1">
              <Checkbox
                label={t('Mark a single image as poster')}
                checked={marks.isPoster}
                onChange={(event) => setMarks({ ...marks, isPoster: event.target.checked })}
              />
              <Checkbox
                label={t('Mark .webm as video')}
                checked={marks.isVideo}
                onChange={(event) => setMarks({ ...marks, isVideo: event.target.checked })}
              />
            </div>
            {alert ? <AlertBox>{alert}</AlertBox> : null}
            {replaced.length > 0 ? (
              <AlertBox tone="warning">
                {t(
                  '{replaced} files that are already stored under the same names. Products will show the new files.',
                  {
                    replaced:
                      replaced.length === 1
                        ? t('One file will replace')
                        : t('{replaced, plural, one {# file} other {# files}} will replace', {
                            replaced: replaced.length,
                          }),
                  },
                )}
              </AlertBox>
            ) : null}
            <div>
              <Button type="submit" variant="primary">
                {t('Upload Files')}
              </Button>
            </div>
          </form>
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          {media.uploads.length > 0 ? (
            <Card title={t('Results')} aside={resultLine(media.uploads)}>
              <ResultList uploads={media.uploads} onRetry={media.retry} onRemove={media.remove} />
            </Card>
          ) : null}
          <StoredMediaCard
            slug={isSlug(slug.trim()) ? slug.trim() : ''}
            media={storedMedia}
            slugs={slugs}
            onSlug={(chosen) => {
              setSlug(chosen)
              setSlugError(null)
              setAlert(null)
            }}
          />
        </div>
      </div>
    </>
  )
}

function resultLine(uploads: ReturnType<typeof useMediaUploads>['uploads']): string {
  const done = uploads.filter(({ state }) => state === 'done').length
  return t('{done} of {uploads} uploaded', { done, uploads: uploads.length })
}
