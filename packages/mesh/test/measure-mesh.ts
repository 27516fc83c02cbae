import { createSurfaceMeter, type MeshMeasures, withTopology } from '../src/measure/measure.ts'
import { analyzeTopology } from '../src/topology/topology.ts'
import { weldVertices } from '../src/topology/weld.ts'

/**
 * Measures a mesh in double precision. `positions` has nine finite floats per triangle, in millimeters. Vertices with
 * exactly equal coordinates are welded.
 */
export function measureMesh(positions: Float32Array): MeshMeasures {
  const meter = createSurfaceMeter()
  meter.add(positions, Math.floor(positions.length / 9))
  return withTopology(meter.finish(), analyzeTopology(weldVertices(positions)))
}
