import { forbidsSale, type LicenseType } from '@pegasus/contracts/licenses'
import { Ban } from 'lucide-react'

/** A licence by its name; one that forbids selling prints carries the ban sign. */
export function LicenseLabel({ license }: { license: LicenseType }) {
  if (!forbidsSale(license))
    return <span className="font-medium whitespace-nowrap text-ink-2">{license}</span>
  return (
    <span
      className="inline-flex items-center gap-[5px] font-medium whitespace-nowrap text-ink-2"
      title="Prints may not be sold"
    >
      <Ban size={14} strokeWidth={1.75} className="shrink-0 text-red-ink" aria-hidden />
      {license}
      <span className="sr-only">, prints may not be sold</span>
    </span>
  )
}
