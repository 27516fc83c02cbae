import { useSearchParams } from 'react-router'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { BackLink } from '@/components/ui/actions/back-link.tsx'
import { useQuery } from '@tanstack/react-query'
import { forecastQuery, stockQuery } from './filament.queries.ts'
import { NO_FILTERS, readView, withFilters, withSpool, withView } from './filament-address.ts'
import { SpoolTrash } from './spools/spool-trash.tsx'
import { SpoolList } from './spools/spool-list.tsx'
import { SpoolPage } from './spools/spool-page.tsx'
import { StockByColor } from './stock/stock-by-color.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface FilamentPageProps {
  queueAddress: string
  jobAddress: (id: string) => string
}

/** The filament page: the spool list, the stock by color, the trash, or the spool whose id is in the URL. */
export function FilamentPage({ queueAddress, jobAddress }: FilamentPageProps) {
  const [params] = useSearchParams()
  const id = params.get('spool')
  if (id) return <SpoolPage key={id} id={id} backTo={`?${withSpool(params, null)}`} jobAddress={jobAddress} />
  const view = readView(params)
  if (view === 'bin') return <SpoolTrash backTo={`?${withView(params, null)}`} />
  return view === 'colors' ? <StockView params={params} /> : <SpoolList queueAddress={queueAddress} />
}

function StockView({ params }: { params: URLSearchParams }) {
  const stock = useQuery(stockQuery)
  const forecast = useQuery(forecastQuery)
  const spoolsOf = ({ material, color }: { material: string; color: string }) =>
    `?${withFilters(withView(params, null), { ...NO_FILTERS, material, search: color })}`
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-2">
        <BackLink to={`?${withView(params, null)}`}>{t('Spools')}</BackLink>
        <h1 className="text-page font-[620]">{t('Filament by material and color')}</h1>
        <span className="ms-auto">
          <RefreshButton queries={[stock, forecast]} />
        </span>
      </div>
      <StockByColor spoolsAddress={spoolsOf} />
    </>
  )
}
