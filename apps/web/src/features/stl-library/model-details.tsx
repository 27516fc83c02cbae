import { forbidsSale } from '@pegasus/contracts/licenses'
import type { StlFile } from '@pegasus/contracts/stl-files'
import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card.tsx'
import { formatDateTime } from '@/lib/format.ts'
import { Fact, FactList } from './fact-list.tsx'
import { LicenseLabel } from './license-label.tsx'
import { webAddress } from './web-address.ts'

/** Whose it is, what it is for, how it prints, and since when it is here. */
export function ModelDetails({ model }: { model: StlFile }) {
  return (
    <>
      <License model={model} />
      <Card title="Description">
        <Prose text={model.description} otherwise="No description provided" />
      </Card>
      {model.print_material || model.print_notes ? (
        <Card title="Printing">
          {model.print_material ? (
            <FactList>
              <Fact name="Material">
                <bdi>{model.print_material}</bdi>
              </Fact>
            </FactList>
          ) : null}
          {model.print_notes ? <Prose text={model.print_notes} otherwise="" /> : null}
        </Card>
      ) : null}
      <Card title="In the library">
        <FactList>
          <Fact name="File name">
            <bdi>{model.file_name}</bdi>
          </Fact>
          {model.uploaded_by ? (
            <Fact name="Uploaded by">
              <bdi>{model.uploaded_by}</bdi>
            </Fact>
          ) : null}
          <Fact name="Uploaded">
            <time dateTime={model.created_at}>{formatDateTime(model.created_at)}</time>
          </Fact>
        </FactList>
      </Card>
    </>
  )
}

function License({ model }: { model: StlFile }) {
  return (
    <Card title="License">
      <div className="flex flex-col gap-1.5 px-4 py-3">
        <div className="flex items-center gap-2">
          <LicenseLabel license={model.license_type} />
          <span className="ml-auto text-label text-ink-3">{saleText(model)}</span>
        </div>
        <Attribution address={model.attribution_url} />
      </div>
    </Card>
  )
}

function saleText({ license_type, sale_allowed }: StlFile): string {
  if (sale_allowed) return 'Sale allowed'
  if (forbidsSale(license_type)) return 'Prints may not be sold'
  return license_type === 'Custom' ? 'Sale not cleared' : 'May be sold'
}

function Attribution({ address }: { address: string | null }): ReactNode {
  if (!address) return null
  const link = webAddress(address)
  if (!link) return <p className="text-ink-2 wrap-anywhere">{address}</p>
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noreferrer noopener"
      className="link relative block w-fit max-w-full truncate"
      title={link.href}
    >
      {link.text}
      <span className="sr-only"> (opens in a new window)</span>
    </a>
  )
}

const Prose = ({ text, otherwise }: { text: string | null; otherwise: string }) => (
  <p
    className={`border-line px-4 py-3 text-left whitespace-pre-line [dl+&]:border-t wrap-anywhere ${text ? 'text-ink-2' : 'text-ink-3'}`}
    dir="auto"
  >
    {text ?? otherwise}
  </p>
)
