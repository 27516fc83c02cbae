import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/stl-library/licenses'
import { MODEL_SORTS, type ModelSort } from '@pegasus/contracts/stl-library/search'
import { Search, SlidersHorizontal, Trash2, Upload } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { formatTotal } from '@/lib/format/format.ts'
import { countMoreFilters, SORT_WORDS } from './search/filter-labels.ts'
import type { LibraryFilters } from './library-address.ts'
import { LICENSE_OPTIONS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

const countFiles = (count: { total: number; isTotalCapped: boolean }): string =>
  count.isTotalCapped
    ? t('{count} files', { count: formatTotal(count) })
    : t('{files, plural, one {# file} other {# files}}', { files: count.total })

const MoreFiltersDialog = onDemand(
  async () => (await import('./search/more-filters-dialog.tsx')).MoreFiltersDialog,
)

const ALL_LICENSES = ''

interface LibraryToolbarProps {
  applied: LibraryFilters
  onApply: (filters: LibraryFilters) => void
  sort: ModelSort
  onSort: (sort: ModelSort) => void
  /** Number of matching models; null while unknown. */
  count: { total: number; isTotalCapped: boolean } | null
  /** The menu of saved searches. */
  savedSearches: ReactNode
  trashAddress: string
  /** Opens the upload dialog; null for people who may not upload. */
  onUpload: (() => void) | null
}

/**
 * The toolbar of the library. Search and license are applied on Apply Filters or Enter. The URL contains the applied
 * filters.
 */
export function LibraryToolbar(props: LibraryToolbarProps) {
  const { applied, onApply, sort, onSort, count, savedSearches, trashAddress, onUpload } = props
  const isPhone = useIsPhone()
  const sorts = (
    <Select
      aria-label={t('Sort by')}
      value={sort}
      onChange={(event) => onSort(MODEL_SORTS.find((each) => each === event.target.value) ?? 'newest')}
      className="w-36 phone:min-w-0 phone:flex-1"
    >
      {MODEL_SORTS.filter((each) => each !== 'relevance' || applied.search !== '').map((each) => (
        <option key={each} value={each}>
          {SORT_WORDS[each]}
        </option>
      ))}
    </Select>
  )
  const trash = (
    <Link
      to={trashAddress}
      aria-label={t('Trash')}
      title={t('Trash')}
      className={`${buttonClass({ variant: 'ghost' })} w-8 px-0! phone:min-w-11 touch:min-w-11`}
    >
      <Trash2 size={16} strokeWidth={1.75} aria-hidden />
    </Link>
  )
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 phone:mb-2">
      <SearchForm applied={applied} onApply={onApply} isPhone={isPhone} />
      <MoreFilters
        applied={applied}
        onApply={onApply}
        isPhone={isPhone}
        extra={
          isPhone ? (
            <div className="flex items-center gap-2">
              {sorts}
              {trash}
            </div>
          ) : null
        }
      />
      <p
        role="status"
        className="ms-1 min-h-5 text-ink-3 phone:order-1 phone:ms-0 phone:min-h-4 phone:w-full phone:text-caption"
      >
        {count ? countFiles(count) : ''}
      </p>
      <div className="ms-auto flex items-center gap-2">
        {isPhone ? null : sorts}
        {savedSearches}
        {isPhone ? null : trash}
        {onUpload ? (
          <>
            <Button
              variant="primary"
              className="phone:hidden"
              icon={<Upload size={16} strokeWidth={1.75} aria-hidden />}
              onClick={onUpload}
            >
              {t('Upload STL')}
            </Button>
            <IconButton label={t('Upload STL')} variant="primary" className="sm:hidden" onClick={onUpload}>
              <Upload size={16} strokeWidth={1.75} aria-hidden />
            </IconButton>
          </>
        ) : null}
      </div>
    </div>
  )
}

const HINT_ID = 'library-search-hint'

interface FilterProps extends Pick<LibraryToolbarProps, 'applied' | 'onApply'> {
  /** True on a phone, which shows only the search here. All other filters are in the sheet. */
  isPhone: boolean
}

function SearchForm({ applied, onApply, isPhone }: FilterProps) {
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const search = form.get('search')
    const license = form.get('license')
    onApply({
      ...applied,
      search: typeof search === 'string' ? search.trim() : '',
      license: isPhone ? applied.license : (LICENSE_TYPES.find((type) => type === license) ?? null),
    })
  }
  return (
    // The key resets the fields when Back, a link or Clear changes the applied filters.
    <form
      key={`${applied.search} ${applied.license}`}
      role="search"
      onSubmit={handleSubmit}
      className="flex min-w-0 flex-wrap items-center gap-2 phone:flex-1"
    >
      <span className="group relative w-80 max-xl:w-64 phone:w-full">
        <Input
          type="search"
          name="search"
          aria-label={t('Search title or description')}
          aria-describedby={HINT_ID}
          placeholder={t('Search title or description')}
          defaultValue={applied.search}
          maxLength={200}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        />
        <span
          id={HINT_ID}
          className="pointer-events-none absolute top-full start-0 z-10 mt-1 hidden w-full rounded-control bg-ink px-2.5 py-1.5 text-caption text-bg shadow-float group-focus-within:block"
        >
          {t('Tags, file names and notes are searched too, in any order of words. Typos are fine.')}
        </span>
      </span>
      {isPhone ? null : (
        <>
          <LicenseFilter license={applied.license} />
          <Button type="submit">{t('Apply Filters')}</Button>
        </>
      )}
    </form>
  )
}

function MoreFilters({ applied, onApply, isPhone, extra }: FilterProps & { extra: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const count = countMoreFilters(applied) + (isPhone && applied.license ? 1 : 0)
  return (
    <>
      <Button
        variant={isPhone ? 'secondary' : 'ghost'}
        aria-haspopup="dialog"
        className="phone:min-w-11 phone:px-2.5!"
        onClick={() => setIsOpen(true)}
        icon={<SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden />}
      >
        <span className="phone:sr-only">{t('More filters')}</span>
        {count > 0 ? (
          <span className="grid h-5 min-w-5 place-items-center rounded-badge bg-accent-soft px-1 text-caption font-[550] text-accent-ink">
            {count}
            <span className="sr-only"> {t('applied')}</span>
          </span>
        ) : null}
      </Button>
      {isOpen ? (
        <MoreFiltersDialog
          applied={applied}
          onApply={onApply}
          isPhone={isPhone}
          extra={extra}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  )
}

const LicenseFilter = ({ license }: { license: LicenseType | null }) => (
  <Select
    name="license"
    aria-label={t('License')}
    defaultValue={license ?? ALL_LICENSES}
    className="w-40 phone:w-auto phone:flex-1"
  >
    <option value={ALL_LICENSES}>{t('All Licenses')}</option>
    <Options of={LICENSE_OPTIONS} />
  </Select>
)
