/** The meaning of a line in an OBJ file. */
export type ObjStatement = 'vertex' | 'face' | 'name' | 'surface' | 'other' | 'unknown'

/**
 * Keywords for names, materials, texture and normal vectors, points and lines. They do not change the
 * triangles.
 */
const HARMLESS = [
  'vt vn vp usemtl mtllib s l p mg bevel c_interp d_interp lod maplib usemap shadow_obj trace_obj',
  'cstype deg bmat step parm trim hole scrv sp end con stech ctech',
].flatMap((words) => words.split(' '))

const STATEMENTS = new Map<string, ObjStatement>([
  ['v', 'vertex'],
  ['f', 'face'],
  ['fo', 'face'],
  ['o', 'name'],
  ['g', 'name'],
  ['curv', 'surface'],
  ['curv2', 'surface'],
  ['surf', 'surface'],
  ...HARMLESS.map((word) => [word, 'other'] as const),
])

/** Returns the meaning of the first word of a line. Keywords are lower case. */
export function objStatement(word: string): ObjStatement {
  return STATEMENTS.get(word) ?? 'unknown'
}
