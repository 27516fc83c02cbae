import type { Model } from '@pegasus/contracts/stl-library/models'
import { Card } from '@/components/ui/display/card.tsx'
import { DateProperties, Property, PropertyList } from '@/components/property-list.tsx'
import { SuggestedMark } from '../fields/suggested-mark.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shows description, print notes, metadata of the file, and dates. */
export function ModelDetails({ model }: { model: Model }) {
  const isSuggested = (field: string) => model.suggested_fields.includes(field)
  return (
    <>
      <Card title={t('Description')} aside={isSuggested('description') ? <SuggestedMark /> : null}>
        <Prose text={model.description} otherwise={t('No description provided')} />
      </Card>
      {model.print_material || model.print_notes ? (
        <Card
          title={t('Printing')}
          aside={isSuggested('print_material') || isSuggested('print_notes') ? <SuggestedMark /> : null}
        >
          {model.print_material ? (
            <PropertyList>
              <Property name={t('Material')}>
                <bdi>{model.print_material}</bdi>
              </Property>
            </PropertyList>
          ) : null}
          {model.print_notes ? <Prose text={model.print_notes} otherwise="" /> : null}
        </Card>
      ) : null}
      <FileMetadata model={model} />
      <Card title={t('In the library')}>
        <PropertyList>
          <Property name={t('File name')}>
            <bdi>{model.file_name}</bdi>
          </Property>
          <Property name={t('Version')}>{model.version}</Property>
          {model.uploaded_by ? (
            <Property name={t('Uploaded by')}>
              <bdi>{model.uploaded_by}</bdi>
            </Property>
          ) : null}
          <DateProperties created={t('Uploaded')} of={model} />
        </PropertyList>
      </Card>
    </>
  )
}

/** Shows the metadata in the file as plain text, because a file may contain anything. */
function FileMetadata({ model }: { model: Model }) {
  const { metadata } = model
  const rows = [
    [t('Title'), metadata?.title],
    [t('Designer'), metadata?.designer],
    [t('License'), metadata?.license_terms],
    [t('Made with'), metadata?.application],
  ].filter((row): row is [string, string] => Boolean(row[1]))
  if (rows.length === 0 && !metadata?.description) return null
  return (
    <Card title={t('From the file')} aside={t('not checked by us')}>
      {rows.length > 0 ? (
        <PropertyList>
          {rows.map(([name, text]) => (
            <Property key={name} name={name}>
              <bdi>{text}</bdi>
            </Property>
          ))}
        </PropertyList>
      ) : null}
      {metadata?.description ? <Prose text={metadata.description} otherwise="" /> : null}
    </Card>
  )
}

const Prose = ({ text, otherwise }: { text: string | null; otherwise: string }) => (
  <p
    className={`max-h-80 overflow-y-auto border-line px-4 py-3 text-start whitespace-pre-line [dl+&]:border-t wrap-anywhere ${text ? 'text-ink-2' : 'text-ink-3'}`}
    dir="auto"
  >
    {text ?? otherwise}
  </p>
)
