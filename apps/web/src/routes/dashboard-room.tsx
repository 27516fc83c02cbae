import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { modelAddress, tabAddress, uploadAddress } from '../app/tabs.ts'
import { FigureStrip } from '../features/stats/figure-strip.tsx'
import { NewestModels } from '../features/stats/newest-models.tsx'
import { statsQuery } from '../features/stats/stats.queries.ts'
import { useCurrentUser } from '../lib/session.ts'

export function DashboardRoom() {
  const user = useCurrentUser()
  const stats = useQuery(statsQuery)
  return (
    <div className="flex flex-col gap-4 phone:gap-3">
      <h1 className="sr-only">Dashboard</h1>
      <FigureStrip query={stats} addressOf={tabAddress} />
      <NewestModels
        modelAddress={modelAddress}
        libraryAddress={tabAddress('stl-library')}
        uploadAddress={isEmployeeOrHigher(user.role) ? uploadAddress : null}
      />
    </div>
  )
}
