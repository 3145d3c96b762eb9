"""日本語。数値は ``wording`` が画面用に整えたものが入る。ファイル名と名前は ``en`` と同じ。

用語（論文〔松本ら〕の語を使い、ふだんの言葉に直したものは左に書く）:
update 更新（勾配）、report 送信データ（論文: ランダム化した勾配）、randomizer ランダム化の仕組み、
randomness ランダムな変化、promise 約束、guess 推測、right guess 正解、guessing game 推測ゲーム、
guessing rule 推測ルール（判別）、attack 攻撃、attacker 攻撃者、leak 漏れ、range 範囲、confidence 信頼度、
estimate 推定値、formula 計算式、clipping length クリッピング長、shared model 共有モデル、round ラウンド、
client クライアント、server サーバ、pair ペア、seed シード、cell セル、pass 周、held-out 取り分けた画像。

書き方: です・ます、短い文、「あなた」。理論の上限は「多くても・最大で」、測った漏れは「少なくとも」、推定は「約」。
テストで見つかるのは漏れだけなので、危険がないと言い切る語は使わない。全角の句読点と半角の数字を使い、英字の前後は空けない。
太字の終わりは、前が句読点やかっこなら、後ろを空ける（Markdown が太字と読まないため）。
"""

from pages._shared.text.ja.audit import *  # noqa: F403
from pages._shared.text.ja.check import *  # noqa: F403
from pages._shared.text.ja.choices import *  # noqa: F403
from pages._shared.text.ja.compare import *  # noqa: F403
from pages._shared.text.ja.figures import JAPANESE as FIGURES
from pages._shared.text.ja.frame import *  # noqa: F403
from pages._shared.text.ja.overview import *  # noqa: F403
from pages._shared.text.ja.report import REPORT
from pages._shared.text.ja.takeaway import *  # noqa: F403

__all__ = ["FIGURES", "REPORT"]
