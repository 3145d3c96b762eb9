"""Faulty mechanisms: each claims one thing and does another, so that a check can be seen to catch it.

For demonstration and tests only. Each class has the attributes of the honest family; its ``name`` begins with
"faulty", and ``caught_by`` names clauses of the exam, or the privacy test, of which at least one catches it.
"""

from ldp_core.mechanisms.faulty._coins import (
    FivePercent,
    MirroredCoin,
    NoNormProjection,
    TenPercent,
    TwentyPercent,
    TwiceEpsilon,
)
from ldp_core.mechanisms.faulty._fault import PRIVACY_TEST, CaughtBy, FaultyMechanism
from ldp_core.mechanisms.faulty._habits import (
    CachedNoise,
    CounterSeed,
    FairStart,
    HonestForTheDummy,
    LengthTells,
    Memory,
    NowAndThenNaN,
    PureNoise,
    SeedAtStart,
    SeedEachCall,
)
from ldp_core.mechanisms.faulty._noise import GaussianForOneNorm, LaplaceForL2, LowOrderBits, NoClipping, SharedNoise

__all__ = ["FAULTY", "PRIVACY_TEST", "CaughtBy", "FaultyMechanism", "FivePercent", "NoNormProjection"]

FAULTY: dict[str, type[FaultyMechanism]] = {
    FivePercent.name: FivePercent,
    TenPercent.name: TenPercent,
    TwentyPercent.name: TwentyPercent,
    TwiceEpsilon.name: TwiceEpsilon,
    HonestForTheDummy.name: HonestForTheDummy,
    FairStart.name: FairStart,
    LaplaceForL2.name: LaplaceForL2,
    GaussianForOneNorm.name: GaussianForOneNorm,
    NoClipping.name: NoClipping,
    MirroredCoin.name: MirroredCoin,
    NoNormProjection.name: NoNormProjection,
    PureNoise.name: PureNoise,
    SeedAtStart.name: SeedAtStart,
    SeedEachCall.name: SeedEachCall,
    CounterSeed.name: CounterSeed,
    CachedNoise.name: CachedNoise,
    SharedNoise.name: SharedNoise,
    Memory.name: Memory,
    LowOrderBits.name: LowOrderBits,
    LengthTells.name: LengthTells,
    NowAndThenNaN.name: NowAndThenNaN,
}
