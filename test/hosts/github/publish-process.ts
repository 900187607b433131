/** A publication in a process of its own, so that it can be killed: `node publish-process.ts JSON`. */
import { PhotonError } from '../../../src/base/codes.ts';
import { carryOut, type Publication } from './publication.ts';

const publication = JSON.parse(process.argv[2] ?? '') as Publication;
try {
  console.log(JSON.stringify(await carryOut(publication)));
} catch (error) {
  console.log(JSON.stringify({ code: error instanceof PhotonError ? error.code : String(error) }));
}
