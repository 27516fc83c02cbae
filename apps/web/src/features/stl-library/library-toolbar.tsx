import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/licenses'
import { Search, Upload } from 'lucide-react'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Input } from '@/components/ui/input.tsx'
import { Select } from '@/components/ui/select.tsx'
import { formatTotal } from '@/lib/format.ts'
import type { LibraryFilters } from './library-address.ts'

const ALL_LICENSES = ''

interface LibraryToolbarProps {
  applied: LibraryFilters
  onApply: (filters: LibraryFilters) => void
  /** How many models match; null while that is not known. */
  count: { total: number; isTotalCapped: boolean } | null
  /** Absent for people who may not add to the library. */
  onUpload: (() => void) | null
}

/** Search and licence wait for Apply Filters (or Enter); what is applied stands in the address. */
export function LibraryToolbar({ applied, onApply, count, onUpload }: LibraryToolbarProps) {
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const search = form.get('search')
    const license = form.get('license')
    onApply({
      search: typeof search === 'string' ? search.trim() : '',
      license: LICENSE_TYPES.find((type) => type === license) ?? null,
    })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      {/* The key starts the fields afresh when the applied filters change from outside: back, a link, Clear. */}
      <form
        key={`${applied.search} ${applied.license}`}
        role="search"
        onSubmit={handleSubmit}
        className="flex min-w-0 flex-wrap items-center gap-2 phone:w-full"
      >
        <Input
          type="search"
          name="search"
          aria-label="Search title or description"
          placeholder="Search title or description"
          defaultValue={applied.search}
          maxLength={200}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
          className="w-80 phone:w-full"
        />
        <LicenseFilter license={applied.license} />
        <Button type="submit">Apply Filters</Button>
      </form>
      <p role="status" className="ml-2 text-ink-3 phone:ml-0 phone:py-2">
        {count ? `${formatTotal(count)} ${count.total === 1 && !count.isTotalCapped ? 'file' : 'files'}` : ''}
      </p>
      {onUpload ? (
        <Button
          variant="primary"
          className="ml-auto"
          icon={<Upload size={16} strokeWidth={1.75} aria-hidden />}
          onClick={onUpload}
        >
          Upload STL
        </Button>
      ) : null}
    </div>
  )
}

const LicenseFilter = ({ license }: { license: LicenseType | null }) => (
  <Select
    name="license"
    aria-label="License"
    defaultValue={license ?? ALL_LICENSES}
    className="w-40 phone:w-auto phone:flex-1"
  >
    <option value={ALL_LICENSES}>All Licenses</option>
    {LICENSE_TYPES.map((type) => (
      <option key={type} value={type}>
        {type}
      </option>
    ))}
  </Select>
)
