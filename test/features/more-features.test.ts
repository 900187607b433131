import { playFeatures } from './play.ts';

playFeatures(1);
